// How much memory this process holds, as the operating system says.
#pragma once

namespace plaudit {

/// Bytes resident now; 0 where the system does not say.
double resident_bytes() noexcept;

/// The same after the allocator has given back what it keeps for later.
double trimmed_resident_bytes() noexcept;

}  // namespace plaudit
