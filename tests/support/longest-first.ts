import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readTestDurations } from '../../scripts/lib/times.ts'
import { projectRoot } from './ground.ts'

/**
 * Starts the longest test files of each project first, so that no long file runs alone at the end. The durations come
 * from `tests/times.json`.
 */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = readTestDurations(projectRoot)
    const getDuration = ({ moduleId }: TestSpecification) => times[relative(projectRoot, moduleId)] ?? 0
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    return [...files].sort(
      (a, b) => order(a) - order(b) || a.project.name.localeCompare(b.project.name) || getDuration(b) - getDuration(a),
    )
  }
}
