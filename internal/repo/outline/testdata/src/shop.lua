-- function hidden()
local M = {}
local function helper(a)
  return a
end
function M.open(name, opts)
end
function M:close()
end
return M
