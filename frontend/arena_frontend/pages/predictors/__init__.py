"""The page of predictors and forecasts."""
