"""Answers to the question which implementation to choose on a machine.

answer     Answer: leaders (the fastest implementation and its ties), ranking, and sizes from which a choice pays, for a
           problem and a place of the data. Answers: all Answers of a machine
words      text of an Answer, and details of each time
portfolio  for each number of backends, the set that keeps most of the best speed
remedies   implementations without a time, with reasons and remedies
"""

from accelbench.decide.answer import Answer, Answers

__all__ = ["Answer", "Answers"]
