// The standard library: containers, iostream, regex, exceptions and threads.
#include <algorithm>
#include <iostream>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

int main(int argc, char **argv) {
  std::map<std::string, std::vector<int>> seen;
  for (int i = 0; i < argc; i++) seen[argv[i]].push_back(i);
  std::regex pattern("a(b*)c|d+");
  std::smatch match;
  std::string line;
  try {
    while (std::getline(std::cin, line)) {
      if (std::regex_search(line, match, pattern)) std::cout << match[1] << '\n';
      std::thread worker([&] { std::sort(seen[line].begin(), seen[line].end()); });
      worker.join();
      if (line.size() > 30) throw std::runtime_error("too long: " + line);
    }
  } catch (const std::exception &e) {
    std::cerr << e.what() << std::endl;
  }
  return static_cast<int>(seen.size());
}
