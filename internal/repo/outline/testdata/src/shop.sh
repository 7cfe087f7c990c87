#!/bin/sh
# hidden() {
set -e
build() {
  echo "x() {"
}
function deploy {
  build
}
run-all ()
{
  deploy
}
