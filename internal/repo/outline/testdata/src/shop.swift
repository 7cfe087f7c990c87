import Foundation
// func hidden() {}
public struct Order<T: Codable>: Codable {
    let id: Int
    var name: String { "x" }
    init(id: Int) { self.id = id }
    mutating func rename(to name: String) -> Bool {
        return true
    }
}
protocol Priced {
    func price() -> Int
}
extension Order: Priced {
    func price() -> Int { 1 }
}
enum Color { case red, green }
func main() async throws {
    print("}")
}
