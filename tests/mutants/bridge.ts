import type { Mutant } from './mutant.ts'

export const BRIDGE: readonly Mutant[] = [
  {
    id: 'B3',
    says: 'the pause between tries never stops growing',
    file: 'bridge/runtime/backoff.ts',
    find: 'Math.min(this.most, wait * 2)',
    put: 'wait * 2',
    tests: ['tests/bridge/runtime/backoff.test.ts'],
  },
  {
    id: 'B5',
    says: 'a quota that is used up is not taken for a full disk',
    file: 'bridge/recording/disk-limits.ts',
    find: " || code === 'EDQUOT'",
    put: '',
    tests: ['tests/bridge/recording/disk-limits.test.ts'],
  },
  {
    id: 'B9',
    says: 'a battery camera stays awake after its last viewer',
    file: 'bridge/cameras/battery-sleep.ts',
    find: 'else this.sleepLater()',
    put: '',
    tests: ['tests/bridge/cameras/battery-sleep.test.ts'],
  },
]
