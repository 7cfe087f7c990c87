package a.b
import java.util.*
// fun hidden() {}
data class Order(val id: Int, var name: String = "{") : Base(id), Other {
    val total: Int
        get() = 1
    fun send(to: String): Boolean {
        if (to == "") { return false }
        return true
    }
    override fun toString() = "Order"
    companion object {
        fun of(id: Int) = Order(id)
    }
}
sealed interface Shape {
    fun area(): Double
}
object Registry {
    private val map = mutableMapOf<String, Int>()
    suspend fun <T> load(key: T): T = key
}
enum class Color { RED, GREEN }
fun String.shout(n: Int = 1): String {
    return this
}
