"""What to choose on a machine: one view model, from an Analysis, of everything that helps to decide.

choices    what there is to choose among: for each problem every way to compute it, with its time by where the data are
answer     answer(choices, state): the sentence, the ranking, what others cost, from which size on, what is not known
portfolio  the smallest sets of backends that keep so much of the best
remedies   what is not measured, why, and what to do about it
embed      the same as plain data for a page, whose script applies the same rules to it

Numbers are rounded once, in `choices`, so that whoever applies the rules to them comes to the same.
"""

from accelbench.decide.answer import Answer, State, answer, default_state
from accelbench.decide.choices import Choices, gather

__all__ = ["Answer", "Choices", "State", "answer", "default_state", "gather"]
