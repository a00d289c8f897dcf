import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { loadWithRetry } from '../../../media/load-with-retry.ts'

/**
 * Returns a component that loads on first use and renders `fallback` until then. Not `React.lazy`: after a Suspense
 * fallback, React delays the content by up to 300 ms, which would slow the first click.
 */
export function createDeferredComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | null = null
  const preload = async () => void (loaded ??= await loadWithRetry(load))

  function Later({ fallback, props }: { fallback: ReactNode; props: Props }) {
    const [Component, show] = useState(() => loaded)
    useEffect(() => {
      if (!Component) void preload().then(() => show(() => loaded))
    }, [Component])
    return Component ? <Component {...props} /> : fallback
  }
  return { Later, preload }
}
