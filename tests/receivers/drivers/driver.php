<?php

// Holds every PHP receiver of a folder and answers the questions that come in lines (see runtimes.py).
error_reporting(E_ALL);
set_error_handler(function (int $level, string $message): never {
    throw new ErrorException($message, 0, $level);
});

function argument(string $word): array|string
{
    $value = base64_decode(substr($word, 1), true);
    if ($word[0] !== 'h') {
        return $value;
    }
    $headers = [];
    foreach (array_chunk($value === '' ? [] : explode("\n", $value), 2) as [$name, $text]) {
        $headers[strtolower($name)] = $text;
    }
    return $headers;
}

foreach (glob("{$argv[1]}/*.php") as $path) {
    require $path;
}
while (($line = fgets(STDIN)) !== false) {
    $words = explode(' ', trim($line));
    $name = array_shift($words);
    try {
        $answer = var_export("receivers\\{$name}\\verify"(...array_map('argument', $words)), true);
    } catch (Throwable $error) {
        $answer = str_replace("\n", ' ', get_class($error) . ': ' . $error->getMessage());
    }
    fwrite(STDOUT, "{$answer}\n");
}
