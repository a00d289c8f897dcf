/** Scrolls the current account tab into view if the tabs do not fit. */
addEventListener('porchlight:session', () => {
  const currentTab = document.querySelector<HTMLElement>('.tabs [aria-current]')
  const tabs = currentTab?.parentElement
  // `scrollIntoView` would scroll the page too.
  if (currentTab && tabs) tabs.scrollLeft = currentTab.offsetLeft - (tabs.clientWidth - currentTab.offsetWidth) / 2
})
