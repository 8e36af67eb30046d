// What the operating system says of the memory of this process: resident_bytes() of
// lib/work/work_limit.hpp, and what follows.
#pragma once

namespace plaudit {

/// resident_bytes() after the allocator has given back what it keeps for later.
double trimmed_resident_bytes() noexcept;

}  // namespace plaudit
