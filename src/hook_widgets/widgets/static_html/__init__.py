"""Static HTML of the widgets, for readers without a kernel, JavaScript or CSS."""
