"""The validity report: does the oracle reach the ceiling of every scored field, and if not, why?"""
