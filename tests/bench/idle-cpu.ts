import { cpus } from 'node:os'

const MAX_IDLE_LOAD = 0.35
const MAX_WAIT_S = 60

function readCpuTimes(): { all: number; idle: number } {
  const times = cpus().map((cpu) => cpu.times)
  const idle = times.reduce((sum, time) => sum + time.idle, 0)
  return { idle, all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) }
}

/** Waits up to a minute until the machine is mostly idle. Returns the CPU load of the last second, 0 to 1. */
export async function waitForIdleCpu(): Promise<number> {
  for (let second = 0; ; second++) {
    const before = readCpuTimes()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const now = readCpuTimes()
    const load = 1 - (now.idle - before.idle) / Math.max(1, now.all - before.all)
    if (load < MAX_IDLE_LOAD || second >= MAX_WAIT_S) return load
  }
}
