// The memory that FLINT, and so ball arithmetic, caches for each thread, and its release.
#pragma once

namespace plaudit {

/// From now on the caches of this thread are freed when it ends; those of the first thread are
/// kept. PrecisionScope calls it, so that threads of programs that use the library leak nothing.
void release_caches_at_thread_end() noexcept;

}  // namespace plaudit
