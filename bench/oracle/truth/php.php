<?php
// Prints the qualified names that PHP files use, by PHP's own tokenizer: {"Name\\Space": "file:line"}. Paths come from standard
// input, one a line. Names of the file's own namespace and unqualified names are left out.
$found = [];
while (($path = fgets(STDIN)) !== false) {
    $path = rtrim($path, "\n");
    $text = @file_get_contents($path);
    if ($text === false) {
        continue;
    }
    $namespace = false;
    foreach (@token_get_all($text) as $token) {
        if (!is_array($token)) {
            continue;
        }
        if ($token[0] === T_NAMESPACE) {
            $namespace = true;
        } elseif ($token[0] === T_NAME_QUALIFIED || $token[0] === T_NAME_FULLY_QUALIFIED) {
            $name = ltrim($token[1], "\\");
            if (!$namespace && !isset($found[$name])) {
                $found[$name] = "$path:$token[2]";
            }
            $namespace = false;
        } elseif ($token[0] !== T_WHITESPACE) {
            $namespace = false;
        }
    }
}
echo json_encode((object) $found, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE);
