import { createDeferredComponent } from '../../../ui/lazy-component.tsx'

export const LazyNoClipsAtTime = createDeferredComponent(
  async () => (await import('./NoClipsAtTime.tsx')).NoClipsAtTime,
)
