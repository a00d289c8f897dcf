const STATEMENT = /^(?:import|export)\s(?!type\b)(?:[\w*{}\s,$]*?from\s*)?['"](\.{1,2}\/[^'"?]+)['"]/gm

/** Relative paths that a module's text imports at run time; types and `import()` do not count. */
export function valueImports(text: string): string[] {
  return [...text.matchAll(STATEMENT)].map(([, target = '']) => target)
}

/** One circle of the graph, its first node again at the end; null where there is none. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): string[] | null => {
    const at = path.indexOf(node)
    if (at >= 0) return [...path.slice(at), node]
    if (done.has(node)) return null
    for (const next of graph.get(node) ?? []) {
      const found = visit(next, [...path, node])
      if (found) return found
    }
    done.add(node)
    return null
  }
  for (const node of graph.keys()) {
    const found = visit(node, [])
    if (found) return found
  }
  return null
}
