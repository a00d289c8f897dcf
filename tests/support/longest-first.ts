import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readTestDurations } from '../../scripts/lib/times.ts'
import { root } from './ground.ts'

/** Starts the longest files of each project first (`tests/times.json`), so that no long file runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = readTestDurations(root)
    const need = ({ moduleId }: TestSpecification) => times[relative(root, moduleId)] ?? 0
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    return [...files].sort(
      (a, b) => order(a) - order(b) || a.project.name.localeCompare(b.project.name) || need(b) - need(a),
    )
  }
}
