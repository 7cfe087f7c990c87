package a.b;

import java.util.*;

/** class Hidden {} */
@SuppressWarnings({"a", "b{"})
public abstract class Shop<T extends Comparable<T>> extends Base implements Runnable {
    private static final int[] LIMITS = {1, 2};
    private char brace = '{';
    static {
        init();
    }

    public Shop(String name) throws IOException {
        super(name);
    }

    @Override
    public void run() {
        Runnable r = new Runnable() {
            public void inner() {}
        };
        if (x) { y(); }
    }

    protected abstract <K> Map<K, List<T>> group(Function<T, K> f, int... more);

    enum Color {
        RED, GREEN;
        int code() { return 1; }
    }

    record Pair(int a, String b) {
        static Pair of(int a) { return new Pair(a, """
            text { "
            """); }
    }
    interface Visitor {
        void visit(Shop<?> s);
        default int size() { return 0; }
    }
}

@interface Marker {
    String value() default "x";
}
