import { createPath } from '../../kit/path.ts'

export const pathToBench = createPath([1.9, 6.5], [0.2, 5], [-1.2, 3.9], [-1.82, 3.3]),
  pathFromBench = createPath([-1.82, 3.3], [-1, 4], [0.4, 5.2], [1.9, 6.7])
