"""Which implementation to choose on a machine: answers from an Analysis.

answer     Answer for a problem and a place of the data: leaders, ranking, sizes from which a choice pays; all Answers
words      an Answer as sentences, and the details of each time
portfolio  smallest sets of backends that keep most of the best speed
remedies   implementations without a time, with reasons and remedies
"""

from accelbench.decide.answer import Answer, Answers

__all__ = ["Answer", "Answers"]
