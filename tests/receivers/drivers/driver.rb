# Holds every Ruby receiver of a folder and answers the questions that come in lines (see runtimes.py).
class Headers < Hash
  def [](name) = super(name.downcase)
end

def argument(word)
  value = word[1..].unpack1("m0")
  case word[0]
  when "b" then value
  when "t" then value.force_encoding("UTF-8")
  else
    headers = Headers.new
    value.split("\n", -1).each_slice(2) { |name, text| headers[name.downcase] = text } # binary, as in Rack
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
