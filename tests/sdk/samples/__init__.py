"""Receivers written after the samples of official documentation, served for real.

They do what the sample of the page does, faults included: same library call, same order, same responses. The
table `SAMPLES` names page, framework, and what is wrong with each.
"""
