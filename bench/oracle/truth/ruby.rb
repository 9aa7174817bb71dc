# Prints, by Ruby's own parser, the gems of Gemfiles with their groups, and what production files require.
# Standard input: paths, one a line. Output: {"gems": [{name, groups, required, place}], "requires": {path: place}, "bundler": bool}.
require "json"
require "ripper"

$gems = []
$requires = {}
$bundler = false

def literal(node)
  return nil unless node.is_a?(Array)
  case node[0]
  when :string_literal, :string_content, :symbol_literal, :symbol, :dyna_symbol
    literal(node[1]) || literal(node[2])
  when :@tstring_content, :@ident, :@kw, :@const
    node[1]
  end
end

def arguments(node)
  return [] unless node.is_a?(Array)
  case node[0]
  when :arg_paren then arguments(node[1])
  when :args_add_block then node[1].is_a?(Array) ? node[1] : []
  else node.all? { |each| each.is_a?(Array) } ? node : []
  end
end

def options(args)
  hash = args.find { |each| each.is_a?(Array) && each[0] == :bare_assoc_hash }
  return {} unless hash
  hash[1].to_h do |assoc|
    key = assoc[1] && assoc[1][0] == :@label ? assoc[1][1].chomp(":") : literal(assoc[1])
    [key, assoc[2]]
  end
end

def names(node)
  return [] unless node.is_a?(Array)
  name = literal(node)
  return [name] if name
  node.flat_map { |each| names(each) }
end

def visit(node, path, groups)
  return unless node.is_a?(Array)
  if node[0] == :method_add_block && (call = node[1]) && [:command, :method_add_arg].include?(call[0])
    name = call[0] == :command ? call[1][1] : (call[1][1] || [])[1]
    if name == "group"
      inner = names(arguments(call[2]))
      return visit(node[2], path, groups + inner)
    end
  end
  if [:command, :method_add_arg].include?(node[0])
    ident = node[0] == :command ? node[1] : node[1].is_a?(Array) ? node[1][1] : nil
    name, position = ident.is_a?(Array) && ident[0] == :@ident ? [ident[1], ident[2]] : [nil, nil]
    args = arguments(node[2])
    first = literal(args[0])
    if name == "gem" && first && path =~ /Gemfile\z/
      given = options(args)
      required = given["require"] ? (given["require"].inspect.include?('"false"') ? false : true) : true
      own = names(given["group"] || given["groups"])
      $gems << { name: first, groups: groups + own, required: required, place: "#{path}:#{position[0]}" }
    elsif %w[require load].include?(name) && first
      $requires[first] ||= "#{path}:#{position[0]}"
    end
  end
  $bundler ||= node[0] == :call && node.inspect.include?('"Bundler"') && node.inspect.include?('"require"')
  node.each { |each| visit(each, path, groups) }
end

STDIN.each_line do |line|
  path = line.chomp
  text = File.read(path, encoding: "UTF-8") rescue next
  tree = Ripper.sexp(text) rescue nil
  visit(tree, path, []) if tree
end
puts JSON.generate({ gems: $gems, requires: $requires, bundler: $bundler })
