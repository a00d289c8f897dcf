import { type ComponentType, lazy, type ReactNode, startTransition, useEffect, useState } from 'react'
import { loadWithRetry } from '../media/load-with-retry.ts'
import { addStyleSheet } from './style-sheet.ts'

type LoadComponent<Props> = () => Promise<ComponentType<Props>>

/**
 * Returns a component for use inside `<Suspense>`. The component and its style sheet `styles` (a URL) load on first
 * use. The load retries after a failure and never rejects.
 */
export const createLazyComponent = <Props extends object>(load: LoadComponent<Props>, styles?: string) =>
  lazy(async () => ({ default: await loadWithRetry(() => loadWithStyles(load, styles)) }))

interface DeferredOptions {
  /** URL of the component's style sheet. */
  styles?: string
  /**
   * Runs if script or styles cannot be loaded; the next use tries again. Without `onFail`, the load retries
   * automatically.
   */
  onFail?: () => void
}

/**
 * Returns a component that loads on first use and renders `fallback` until then, without `<Suspense>`: after a Suspense
 * fallback, React delays the content by up to 300 ms, which would slow the first click. `preload` loads the component
 * before its first use.
 */
export function createDeferredComponent<Props extends object>(
  load: LoadComponent<Props>,
  { styles, onFail }: DeferredOptions = {},
) {
  let loaded: ComponentType<Props> | null = null
  const loadOnce = () => loadWithStyles(load, styles)
  const preload = async () => void (loaded ??= await (onFail ? loadOnce() : loadWithRetry(loadOnce)))

  function Deferred({ fallback = null, props }: { fallback?: ReactNode; props: Props }) {
    const [Component, show] = useState(() => loaded)
    useEffect(() => {
      // A transition, because the parts of one chunk arrive together: React renders them in short tasks.
      if (!Component) void preload().then(() => startTransition(() => show(() => loaded)), onFail)
    }, [Component])
    return Component ? <Component {...props} /> : fallback
  }
  return Object.assign(Deferred, { preload })
}

async function loadWithStyles<Props>(load: LoadComponent<Props>, styles?: string): Promise<ComponentType<Props>> {
  const [component] = await Promise.all([load(), styles && addStyleSheet(styles)])
  return component
}
