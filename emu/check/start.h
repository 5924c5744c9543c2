/// The beginning of checked mode in a process.
#pragma once

namespace offgrid::emu::check {

/// Reserves what the checks need and makes them the engine's observer. Later calls do nothing.
void start();

}  // namespace offgrid::emu::check
