// The libraries of app.tsx without Postern: what a compiler says of their declarations is no fault of Postern's.
export { QueryClient } from '@tanstack/react-query';
export { createTRPCClient } from '@trpc/client';
export { createTRPCContext } from '@trpc/tanstack-react-query';
export { useState } from 'react';
export { createRoot } from 'react-dom/client';
