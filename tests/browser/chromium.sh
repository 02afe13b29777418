#!/bin/sh
# Chromium without two pages of its own, which every new window loads for the suggestions below its address bar: they
# cost more than most pages under test. Only one list of features is heeded, so they join the one that Playwright gives.
for argument; do
  shift
  case $argument in --disable-features=*) argument=$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup ;; esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM" "$@"
