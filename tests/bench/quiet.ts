import { cpus } from 'node:os'

const BUSY = 0.35
const PATIENCE_S = 60

function ticks(): { all: number; idle: number } {
  const times = cpus().map((cpu) => cpu.times)
  const idle = times.reduce((sum, time) => sum + time.idle, 0)
  return { idle, all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) }
}

/** Waits at most a minute until the machine is mostly idle. Returns its load in the last second, 0 to 1. */
export async function untilQuiet(): Promise<number> {
  for (let second = 0; ; second++) {
    const before = ticks()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const now = ticks()
    const busy = 1 - (now.idle - before.idle) / Math.max(1, now.all - before.all)
    if (busy < BUSY || second >= PATIENCE_S) return busy
  }
}
