import './styles/tokens.css';
import './styles/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/client.js';
import { ToastProvider } from './components/toast/toast.js';
import { applyTheme } from './frame/theme.js';
import { router } from './router.js';

applyTheme();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    {/* The page's policy allows no style elements. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delay={300}>
          <ToastProvider>
            <RouterProvider router={router} />
          </ToastProvider>
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
