# class Hidden
module Shop
  class Order < Base
    attr_reader :id
    def initialize(id, name: "x")
      @id = id
    end

    def self.build(*args)
      new(*args)
    end

    def empty?; true end

    def <=>(other)
      0
    end
  end
end
=begin
def no
end
=end
def Shop.top(a)
end
