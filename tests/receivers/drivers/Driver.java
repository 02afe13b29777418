// Holds every Java receiver and answers the questions that come in lines (see runtimes.py).

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

public final class Driver {
    private interface Receiver {
        boolean verify(String[] arguments) throws Exception;
    }

    private static final Map<String, Receiver> RECEIVERS = new TreeMap<>();

    private static byte[] data(String word) {
        return Base64.getDecoder().decode(word.substring(1));
    }

    private static String text(String word) {
        return new String(data(word), StandardCharsets.UTF_8);
    }

    private static UnaryOperator<String> headers(String word) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        String[] lines = text(word).split("\n", -1);
        for (int i = 0; i + 1 < lines.length; i += 2) {
            headers.put(lines[i], lines[i + 1]);
        }
        return headers::get;
    }

    public static void main(String[] unused) throws Exception {
        // table
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            try {
                out.println(RECEIVERS.get(words[0]).verify(Arrays.copyOfRange(words, 1, words.length)));
            } catch (Exception | StackOverflowError error) {
                out.println(error.toString().replace("\n", " "));
            }
        }
    }
}
