import { afterEach, expect, test, vi } from 'vitest'
import { anyFreePort } from '../../../../scripts/lib/ports.ts'

afterEach(() => vi.unstubAllEnvs())

const many = (count: number) => Promise.all(Array.from({ length: count }, anyFreePort))

test('a port is handed out once, and so are the two after it', async () => {
  const ports = (await many(400)).flatMap((port) => [port, port + 1, port + 2])
  expect(new Set(ports).size).toBe(ports.length)
})

test('test files that run concurrently get ports that no other file gets', async () => {
  const lanes = []
  for (const pool of ['1', '2', '3', '4']) {
    vi.stubEnv('VITEST_POOL_ID', pool)
    lanes.push((await many(20)).toSorted((port, other) => port - other))
  }
  const ordered = lanes.toSorted(([port = 0], [other = 0]) => port - other)
  expect(ordered.flat()).toEqual(ordered.flat().toSorted((port, other) => port - other))
  expect(Math.min(...ordered.flat())).toBeGreaterThanOrEqual(10_000)
  expect(Math.max(...ordered.flat())).toBeLessThan(31_998)
})
