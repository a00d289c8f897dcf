import type { Mutant } from './mutant.ts'

export const BRIDGE_MUTANTS: readonly Mutant[] = [
  {
    id: 'B3',
    fault: 'the retry delay grows without a limit',
    file: 'bridge/runtime/backoff.ts',
    find: 'Math.min(this.#maxDelayMs, nextMs * 2)',
    replacement: 'nextMs * 2',
    tests: ['tests/bridge/runtime/backoff.test.ts'],
  },
  {
    id: 'B5',
    fault: 'an exhausted quota does not count as a full disk',
    file: 'bridge/recording/disk-limits.ts',
    find: " || code === 'EDQUOT'",
    replacement: '',
    tests: ['tests/bridge/recording/disk-limits.test.ts'],
  },
  {
    id: 'B9',
    fault: 'a battery camera stays awake after its last viewer',
    file: 'bridge/cameras/battery-sleep.ts',
    find: 'else this.#scheduleSleep()',
    replacement: '',
    tests: ['tests/bridge/cameras/battery-sleep.test.ts'],
  },
]
