// What FLINT, and with it ball arithmetic, caches per thread.
#pragma once

namespace plaudit {

/// It is freed when this thread ends. PrecisionScope sees to it, so that threads of other programs
/// leak nothing; the first thread keeps its caches to the end.
void release_caches_at_thread_end() noexcept;

}  // namespace plaudit
