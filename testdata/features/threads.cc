/*
 * This file uses std::thread, a condition variable and an exception that crosses
 * from a thread to main through a future.
 */
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

class Queue {
public:
    void put(int x)
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            items_.push(x);
        }
        ready_.notify_one();
    }
    int take()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        while (items_.empty())
            ready_.wait(lock);
        int x = items_.front();
        items_.pop();
        return x;
    }

private:
    std::mutex mutex_;
    std::condition_variable ready_;
    std::queue<int> items_;
};

long work(int x)
{
    long sum = 0;
    for (int i = 1; i <= x; i++)
        sum += x % i == 0 ? i : 0;
    return sum;
}

} // namespace

int main()
{
    Queue queue;
    std::vector<long> sums(3, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < sums.size(); t++)
        threads.emplace_back([&queue, &sums, t] {
            for (int x; (x = queue.take()) != 0;)
                sums[t] += work(x);
        });
    for (int x = 1; x <= 300; x++)
        queue.put(x);
    for (std::size_t t = 0; t < sums.size(); t++)
        queue.put(0);
    for (auto &thread : threads)
        thread.join();
    std::printf("sum %ld\n", sums[0] + sums[1] + sums[2]);

    auto failing = std::async(std::launch::async, [](int x) -> long {
        if (work(x) == 12)
            throw std::runtime_error("twelve");
        return work(x);
    }, 6);
    try {
        std::printf("%ld\n", failing.get());
    } catch (const std::runtime_error &e) {
        std::printf("caught %s\n", e.what());
    }
    return 0;
}
