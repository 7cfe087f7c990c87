'use strict'
const http = require('http')
function plain (a, b) {
  const inner = () => {}
}
class Server extends http.Server {
  constructor () { super() }
  static create (opts) { return new Server(opts) }
  get port () { return 1 }
  async listen (port = 80, host = "{") {
    if (a) { b() } else { c() }
  }
}
const arrow = x => { return x }
module.exports = { plain, Server }
module.exports.other = function (a) { return a }
async function* gen () {}
;(function (root) {
  function wrapped (a) { return a }
  root.wrapped = wrapped
})(this)
