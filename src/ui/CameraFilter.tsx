import Cctv from 'lucide-react/icons/cctv'
import { formatCameraCount } from '../domain/copy/counts.ts'
import type { CameraChoicesProps } from './CameraChoices.tsx'
import { FilterMenu } from './FilterMenu.tsx'
import { createDeferredComponent } from './lazy-component.tsx'

const LazyCameraChoices = createDeferredComponent(async () => (await import('./CameraChoices.tsx')).CameraChoices)

export function CameraFilter(choice: CameraChoicesProps) {
  const { cameras, selectedIds } = choice
  const names = cameras.filter(({ device_id }) => selectedIds.includes(device_id)).map(({ nickname }) => nickname)
  const label =
    selectedIds.length === 0
      ? 'All cameras'
      : names.length === 1
        ? (names[0] ?? '')
        : formatCameraCount(selectedIds.length)

  return (
    <FilterMenu name="cameras" label={label} Icon={Cctv} isActive={selectedIds.length > 0}>
      {() => <LazyCameraChoices props={choice} fallback={<div className="skeleton h-40 w-60" />} />}
    </FilterMenu>
  )
}
