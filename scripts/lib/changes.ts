import { spawnSync } from 'node:child_process'

/**
 * Returns the files that differ from the base commit, including uncommitted files. The base is the merge base of HEAD
 * and `main`, or the parent of HEAD if HEAD itself is that merge base. Returns null if the base is unknown, such as in
 * a shallow clone.
 */
export function listChangedFiles(root: string): string[] | null {
  const base = findMergeBase(root)
  if (base === null) return null
  const changed = runGit(root, 'diff', '--name-only', '--no-renames', base)
  const added = runGit(root, 'ls-files', '--others', '--exclude-standard')
  return changed === null || added === null ? null : [...new Set([...splitLines(changed), ...splitLines(added)])].sort()
}

function findMergeBase(root: string): string | null {
  const head = runGit(root, 'rev-parse', 'HEAD')
  for (const main of ['origin/main', 'main']) {
    const base = runGit(root, 'merge-base', main, 'HEAD')
    if (base !== null && base !== head) return base
  }
  return runGit(root, 'rev-parse', '--verify', '--quiet', 'HEAD^')
}

/** Returns the trimmed text of a file at the base commit; null if the base is unknown or does not contain the file. */
export function readFileAtBase(root: string, path: string): string | null {
  const base = findMergeBase(root)
  return base === null ? null : runGit(root, 'show', `${base}:${path}`)
}

function runGit(root: string, ...args: string[]): string | null {
  const done = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return done.status === 0 ? done.stdout.trim() : null
}

const splitLines = (text: string): string[] => text.split('\n').filter((line) => line !== '')
