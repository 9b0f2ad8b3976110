/*
 * This file uses the standard library as ordinary programs do: containers,
 * algorithms, strings, streams, std::function and lambdas.
 */
#include <algorithm>
#include <cctype>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

template <typename F>
static auto apply_twice(F f)
{
    return [f](auto x) { return f(f(x)); };
}

int main()
{
    const std::string text = "alpha=1, beta=22, gamma=333, alpha=4, delta=x, beta=6";
    std::map<std::string, int> sums;
    std::istringstream pairs(text);
    for (std::string pair; std::getline(pairs, pair, ',');) {
        const std::size_t name = pair.find_first_not_of(' '), equals = pair.find('=');
        if (std::isdigit(pair[equals + 1]))
            sums[pair.substr(name, equals - name)] += std::stoi(pair.substr(equals + 1));
    }
    for (const auto &[name, value] : sums)
        std::cout << name << ' ' << value << '\n';

    std::vector<int> numbers(200);
    std::iota(numbers.begin(), numbers.end(), 1);
    std::transform(numbers.begin(), numbers.end(), numbers.begin(),
                   [](int x) { return x * 37 % 101; });
    std::sort(numbers.begin(), numbers.end(), std::greater<>());
    auto odd = std::partition_point(numbers.begin(), numbers.end(), [](int x) { return x > 50; });
    std::cout << "above " << odd - numbers.begin() << " sum "
              << std::accumulate(numbers.begin(), numbers.end(), 0L) << '\n';

    std::unordered_map<int, std::vector<int>> groups;
    for (int x : numbers)
        groups[x % 7].push_back(x);
    std::size_t largest = 0;
    for (int k = 0; k < 7; k++)
        largest = std::max(largest, groups[k].size());
    std::cout << "groups " << groups.size() << " largest " << largest << '\n';

    std::function<int(int)> half_or_triple = [](int x) { return x % 2 ? 3 * x + 1 : x / 2; };
    int steps = 0;
    for (int x = 27; x != 1; x = half_or_triple(x))
        steps++;
    std::cout << "steps " << steps << " twice " << apply_twice(half_or_triple)(10) << '\n';

    std::istringstream in("3 4 five 6");
    int sum = 0;
    for (std::string word; in >> word;) {
        try {
            sum += std::stoi(word);
        } catch (const std::invalid_argument &) {
            sum += 1000;
        }
    }
    std::cout << "parsed " << sum << std::endl;
    return 0;
}
