/*
 * This file calls virtual functions: single and multiple inheritance (thunks), a
 * call in a constructor, pure virtual interfaces, and a visitor with double
 * dispatch.
 */
#include <cstdio>
#include <memory>
#include <vector>

namespace {

struct Circle;
struct Box;

struct Visitor {
    virtual ~Visitor() = default;
    virtual void visit(const Circle &) = 0;
    virtual void visit(const Box &) = 0;
};

struct Shape {
    Shape() { init(); }
    virtual ~Shape() = default;
    virtual int area() const = 0;
    virtual void accept(Visitor &v) const = 0;
    virtual void init() { made++; } /* the base's version runs in the constructor */
    static int made;
};
int Shape::made = 0;

struct Named {
    virtual ~Named() = default;
    virtual char initial() const { return '?'; }
};

struct Circle : Shape, Named {
    int r;
    explicit Circle(int radius) : r(radius) {}
    int area() const override { return 3 * r * r; }
    void accept(Visitor &v) const override { v.visit(*this); }
    char initial() const override { return r > 5 ? 'C' : 'c'; }
};

struct Box : Shape, Named {
    int w, h;
    Box(int width, int height) : w(width), h(height) {}
    int area() const override
    {
        int a = 0;
        for (int i = 0; i < h; i++)
            a += w;
        return a;
    }
    void accept(Visitor &v) const override { v.visit(*this); }
    void init() override { made += 100; }
};

struct Square : Box {
    explicit Square(int side) : Box(side, side) {}
    int area() const override { return w * w; }
    char initial() const override { return 'S'; }
};

struct Census : Visitor {
    int circles = 0, boxes = 0, large = 0;
    void visit(const Circle &c) override
    {
        circles++;
        if (c.r > 5)
            large++;
    }
    void visit(const Box &b) override
    {
        boxes++;
        if (b.area() > 40)
            large++;
    }
};

} // namespace

int main()
{
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 1; i < 60; i++) {
        if (i % 3 == 0)
            shapes.push_back(std::make_unique<Circle>(i % 10));
        else if (i % 3 == 1)
            shapes.push_back(std::make_unique<Box>(i % 7, i % 9));
        else
            shapes.push_back(std::make_unique<Square>(i % 8));
    }
    long total = 0;
    Census census;
    int letters[128] = {0};
    for (const auto &s : shapes) {
        total += s->area();
        s->accept(census);
        if (const Named *n = dynamic_cast<const Named *>(s.get()))
            letters[static_cast<int>(n->initial())]++;
    }
    std::printf("area %ld circles %d boxes %d large %d made %d\n", total, census.circles,
                census.boxes, census.large, Shape::made);
    std::printf("C %d c %d S %d ? %d\n", letters[+'C'], letters[+'c'],
                letters[+'S'], letters[+'?']);
    return 0;
}
