# Holds every Ruby receiver of a folder and answers the questions that come in lines (see runtimes.py).
require "net/http"

class Headers
  include Net::HTTPHeader # reads names in any case
end

def argument(word)
  value = word[1..].unpack1("m0")
  case word[0]
  when "b" then value
  when "t" then value.force_encoding("UTF-8")
  else
    headers = Headers.new
    headers.initialize_http_header(value.force_encoding("UTF-8").split("\n", -1).each_slice(2).to_h)
    headers
  end
end

receivers = Dir[File.join(ARGV[0], "*.rb")].to_h do |path|
  [File.basename(path, ".rb"), Class.new { class_eval(File.read(path), path) }.new]
end

$stdout.sync = true
$stdin.each_line do |line|
  name, *words = line.split
  begin
    puts receivers.fetch(name).verify(*words.map { |word| argument(word) }).inspect
  rescue StandardError, SystemStackError => error
    puts error.inspect.tr("\n", " ")
  end
end
