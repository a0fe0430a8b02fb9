"""What to choose on a machine: answers, from an Analysis, to everything that helps to decide.

answer     Answers and Answer for a place of the data: the leaders, the ranking, from which size on what pays
words      an Answer in words, and the details of each time
portfolio  the smallest sets of backends that keep so much of the best
remedies   what is not measured, why, and what to do about it
"""

from accelbench.decide.answer import Answer, Answers

__all__ = ["Answer", "Answers"]
