"""The tests. A package, because some of the packages that they compare with bring one of the same name."""
