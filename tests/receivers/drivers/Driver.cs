// Holds every C# receiver and answers the questions that come in lines (see runtimes.py).

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

public static class Driver
{
    private static readonly Dictionary<string, Func<string[], bool>> Receivers =
        new Dictionary<string, Func<string[], bool>>();

    private static byte[] Data(string word)
    {
        return Convert.FromBase64String(word.Substring(1));
    }

    private static string Text(string word)
    {
        return Encoding.UTF8.GetString(Data(word));
    }

    private static Func<string, string> Headers(string word)
    {
        var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        string[] lines = Text(word).Split('\n');
        for (int i = 0; i + 1 < lines.Length; i += 2)
        {
            headers[lines[i]] = lines[i + 1];
        }
        return name => headers.TryGetValue(name, out string value) ? value : "";
    }

    public static void Main()
    {
        // table
        var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };
        for (string line = input.ReadLine(); line != null; line = input.ReadLine())
        {
            string[] words = line.Split(' ');
            try
            {
                output.WriteLine(Receivers[words[0]](words.Skip(1).ToArray()) ? "true" : "false");
            }
            catch (Exception error)
            {
                output.WriteLine(error.ToString().Replace("\n", " "));
            }
        }
    }
}
