import WanderingRobots

wanderingRobots.main()
