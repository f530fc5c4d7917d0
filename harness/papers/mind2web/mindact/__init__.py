"""MindAct and its rivals: candidates of a page are ranked, then a model is asked which of the best is next.

Source: Deng et al. 2023 (Mind2Web, arXiv:2306.06070), section 3.
"""
