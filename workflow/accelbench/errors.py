"""The one exception that reaches people: what is wrong, where, and what to do about it."""


class InputError(Exception):
    """Something a person wrote (configuration, kernel, result file, argument) cannot be used.

    `where` names the file and key, `problem` what is wrong with it, `remedy` what to do next. The command line
    prints all three as one message and exits with status 2; no traceback is shown.
    """

    def __init__(self, where, problem, remedy):
        super().__init__(f"{where}: {problem}. {remedy}")
        self.where, self.problem, self.remedy = str(where), problem, remedy
