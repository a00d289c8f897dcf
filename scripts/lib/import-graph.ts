const STATIC_IMPORT_PATTERN = /^(?:import|export)\s(?:[\w*{}\s,$]*?from\s*)?['"](\.{1,2}\/[^'"?]+)['"]/gm
const LAZY_IMPORT_PATTERN = /\bimport\(\s*['"](\.{1,2}\/[^'"?]+)['"]/g
const TYPEOF_IMPORT_PATTERN = /\btypeof import\([^)]*\)/g

/**
 * Returns the relative paths in the static imports and re-exports of a module, including type imports. Ignores
 * `import()`.
 */
export function listStaticImports(text: string): string[] {
  return [...text.matchAll(STATIC_IMPORT_PATTERN)].map(([, target = '']) => target)
}

/** Returns the relative paths that a module's text imports with `import()`. */
export function listLazyImports(text: string): string[] {
  return [...text.replace(TYPEOF_IMPORT_PATTERN, '').matchAll(LAZY_IMPORT_PATTERN)].map(([, target = '']) => target)
}

/** Returns one cycle of the graph, with its first node again at the end; null if there is none. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const visited = new Set<string>()
  const visit = (node: string, path: readonly string[]): string[] | null => {
    const at = path.indexOf(node)
    if (at >= 0) return [...path.slice(at), node]
    if (visited.has(node)) return null
    for (const next of graph.get(node) ?? []) {
      const found = visit(next, [...path, node])
      if (found) return found
    }
    visited.add(node)
    return null
  }
  for (const node of graph.keys()) {
    const found = visit(node, [])
    if (found) return found
  }
  return null
}
