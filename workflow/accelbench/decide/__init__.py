"""What to choose on a machine: answers, from an Analysis, to everything that helps to decide.

places     where the data may be, and the kind of time that counts then
answer     Answers and Answer: the leaders, the ranking, from which size on what pays, what is not known
words      an Answer in words
facts      what a page tells of each time
portfolio  the smallest sets of backends that keep so much of the best
remedies   what is not measured, why, and what to do about it
"""

from accelbench.decide.answer import Answer, Answers

__all__ = ["Answer", "Answers"]
